export let opened = 0
export const open = (): number => ++opened
