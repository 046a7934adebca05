/** Puts something back as it was; answers `false` where that did not succeed. */
export type Undo = () => boolean | void
