/** The part of jStat that is used. The package brings no types. */
declare module 'jstat' {
  interface Distribution {
    cdf(x: number, ...parameters: number[]): number
    inv(p: number, ...parameters: number[]): number
    pdf(x: number, ...parameters: number[]): number
  }
  const jstat: { jStat: { studentt: Distribution; normal: Distribution; beta: Distribution } }
  export default jstat
}
