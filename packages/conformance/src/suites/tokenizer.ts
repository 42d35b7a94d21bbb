import type { TokenizerCase } from '../cases.js'
import { ensure, group, shown, type Group } from '../checks.js'
import { UNICODE } from '../sample/turns.js'
import type { Subject } from '../subject.js'

const TEXTS = ['Hello, world!', UNICODE, ' leading and trailing ', 'a', ' ', '\n\n\n', '日本語のテキスト', '0123456789'.repeat(20), 'The quick brown fox jumps over the lazy dog. '.repeat(50)]

export function tokenizerSuite(subject: Subject<'tokenizer'>, given: TokenizerCase): Group[] {
  const make = () => subject.create({ name: given.as ?? subject.name, options: subject.options(given.options) })
  return [
    group('tokens', {
      'are ids of the vocabulary': async () => {
        const tokenizer = await make()
        ensure(Number.isInteger(tokenizer.vocabularySize) && tokenizer.vocabularySize > 0, `vocabularySize is ${tokenizer.vocabularySize}`)
        for (const text of TEXTS) {
          const bad = tokenizer.encode(text).find((id) => !(Number.isInteger(id) && id >= 0 && id < tokenizer.vocabularySize))
          ensure(bad === undefined, `${shown(text)} has the token ${bad}`)
        }
      },
      'count is what encode gives': async () => {
        const tokenizer = await make()
        for (const text of TEXTS) ensure(tokenizer.count(text) === tokenizer.encode(text).length, `${shown(text)}: count is ${tokenizer.count(text)}, encode gives ${tokenizer.encode(text).length}`)
        ensure(tokenizer.count('') === 0, `the empty text has ${tokenizer.count('')} tokens`)
      },
      'decode gives the text back': async () => {
        const tokenizer = await make()
        for (const text of TEXTS) {
          const back = tokenizer.decode(tokenizer.encode(text))
          ensure(back.trim() === text.trim(), `${shown(text)} came back as ${shown(back)}`)
        }
      },
      'the same text has the same tokens': async () => {
        const [one, two] = [await make(), await make()]
        for (const text of TEXTS) ensure(String([...one.encode(text)]) === String([...two.encode(text)]), `${shown(text)} was cut in two ways`)
      },
      'special ids are a set': async () => {
        const { specialIds } = await make()
        ensure(typeof specialIds?.has === 'function', 'specialIds must be a set of ids')
      },
    }),
    group('capabilities', {
      'splitsAtSpaces is true where it is said': async () => {
        const tokenizer = await make()
        if (tokenizer.splitsAtSpaces !== true) return
        const words = ['alpha', 'Beta', 'gamma', 'x', 'Réponse', 'over.', 'end']
        const sum = words.reduce((total, word, i) => total + tokenizer.count(i === 0 ? word : ` ${word}`), 0)
        ensure(sum === tokenizer.count(words.join(' ')), 'splitsAtSpaces is set, but the counts of words do not add up to that of the sentence')
      },
    }),
  ]
}
