/** Loads a module of the project. The script that explores cannot do so by itself: Node has no loader for what it compiles from kept code. */
export const importFile = (file: string): Promise<unknown> => import(/* @vite-ignore */ file)
