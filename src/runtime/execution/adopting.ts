/** What extends it puts its private fields on an object that is already there. */
// oxlint-disable-next-line typescript/no-extraneous-class
export const Adopting = class {
  constructor(object: object) {
    // oxlint-disable-next-line no-constructor-return
    return object
  }
} as new (object: object) => object
