/** What a server has said as JSON, to be compared field by field: any shape, since the shape is what is tested. */
// eslint-disable-next-line typescript/no-explicit-any
export type Said = Record<string, any>
