export function makeOpaque(): unknown
