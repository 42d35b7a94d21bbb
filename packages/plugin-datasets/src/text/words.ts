import * as package_ from 'random-words'

/** Common English words, lower case. (The package's types name the list wrongly.) */
export const englishWords = (package_ as unknown as { wordList: readonly string[] }).wordList
