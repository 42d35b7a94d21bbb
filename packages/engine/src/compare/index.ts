export { compare, type Comparison, type CompareOptions, type Row, type Verdict } from './compare.js'
export { compareJson, compareJunit, compareMarkdown, compareText } from './render.js'
