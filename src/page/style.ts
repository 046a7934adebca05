/** How the page looks: light and dark, on paper, and where it is narrow, all in one column. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --text: #1c2024; --dim: #5b6169; --line: #c9ced6; --box: #f4f6f8; --link: #0b57c2;
  --cause: #b3261e; --cause-ground: #fdeceb; --harm: #8a5a00; --harm-ground: #fdf3df; --good: #1b6b3a; --edge: #6b7480;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15181c; --text: #e8eaed; --dim: #a7afb9; --line: #3a424c; --box: #20252b; --link: #8ab4f8;
    --cause: #ff8a80; --cause-ground: #43201f; --harm: #f3c266; --harm-ground: #3a2d12; --good: #7fd49b; --edge: #8b96a3;
  }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.2rem 1.6rem 3rem; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header p { margin: 0.2rem 0; }
h1 { margin: 0 0 0.3rem; font-size: 1.25rem; line-height: 1.35; max-width: 70rem; }
h1 strong { color: var(--cause); }
h2 { margin: 0 0 0.4rem; font-size: 1rem; }
h2.good { color: var(--good); }
.dim { color: var(--dim); }
.orders { display: flex; flex-wrap: wrap; gap: 1.2rem 2rem; margin: 1rem 0; align-items: flex-start; }
.orders > section { min-width: 0; max-width: 100%; }
.scroll { overflow-x: auto; max-width: 100%; }
pre, code, svg { font: 12px/1.5 ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; }
pre { margin: 0.4rem 0; padding: 0.6rem 0.8rem; background: var(--box); border-radius: 5px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.error { border-left: 3px solid var(--cause); }
#details { min-height: 4.5em; }
td { padding: 0.1rem 1rem 0.1rem 0; vertical-align: top; }
svg.lanes { height: auto; }
.lanes text { fill: var(--text); }
.lanes .name { font-weight: 600; }
.lanes .number, .lanes .place { fill: var(--dim); }
.lanes .life { stroke: var(--line); stroke-dasharray: 3 4; }
.box { cursor: default; outline: none; }
.box rect { fill: var(--box); stroke: var(--line); }
.box.cause rect { fill: var(--cause-ground); stroke: var(--cause); stroke-width: 1.6; }
.box.harm rect { fill: var(--harm-ground); stroke: var(--harm); stroke-width: 1.6; }
.box:hover rect, .box:focus rect { stroke: var(--link); stroke-width: 2.4; }
.edge path { fill: none; stroke: var(--edge); stroke-width: 1.3; }
.edge polygon { fill: var(--edge); }
.edge.conflict path { stroke: var(--cause); stroke-dasharray: 5 3; }
.edge.conflict polygon { fill: var(--cause); }
.faded { opacity: 0.12; }
.legend { margin: 0.3rem 0 0.8rem; }
a { color: var(--link); }
label { margin-right: 0.6rem; }
input { font: inherit; padding: 0.15rem 0.5rem; color: inherit; background: var(--box); border: 1px solid var(--dim); border-radius: 4px; }
summary { cursor: pointer; font-weight: 600; }
ol.column { display: none; margin: 0; padding: 0; list-style: none; font: 12px/1.4 ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; }
.column .box { margin: 0 0 4px calc(min(var(--lane), 6) * 0.9rem); padding: 3px 7px; border: 1px solid var(--line); border-radius: 5px; background: var(--box); overflow-wrap: anywhere; }
.column .box.cause { background: var(--cause-ground); border-color: var(--cause); }
.column .box.harm { background: var(--harm-ground); border-color: var(--harm); }
.column .box:hover, .column .box:focus { border-color: var(--link); }
ol.column .box > span { display: block; }
ol.column .box > .whose { display: flex; gap: 0.6em; color: var(--dim); }
.column .whose strong { color: var(--text); }
.column .place { margin-left: auto; }
@media screen and (max-width: 700px) {
  body { padding: 0.8rem 0.8rem 2rem; }
  h1 { font-size: 1.05rem; }
  .orders { flex-direction: column; }
  .orders > section { width: 100%; }
  .beside { display: none; }
  ol.column { display: block; }
}
@media print {
  :root { --ground: #ffffff; --text: #000000; --dim: #444444; --line: #999999; --box: #ffffff; --link: #0b57c2; --cause: #a00000; --cause-ground: #ffffff; --harm: #6b4700; --harm-ground: #ffffff; --good: #0a5a2a; --edge: #555555; }
  body { padding: 0; font-size: 11px; }
  .screen { display: none; }
  .scroll { overflow: visible; }
  svg.lanes { max-width: 100%; height: auto; }
}
`
