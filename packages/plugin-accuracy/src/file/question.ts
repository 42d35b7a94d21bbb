import type { AccuracyProblem, Json, JsonObject } from '@aiperf/core'

/** Names that files have for the same thing; the first one is ours. */
const KEYS = {
  question: ['question', 'problem', 'prompt'],
  answer: ['answer', 'gold', 'target', 'solution'],
  choices: ['choices', 'options'],
  task: ['task', 'subject', 'category'],
} as const

/** The problem of a row; a text says what is wrong with it. */
export function readQuestion(row: JsonObject, maxTokens: number): AccuracyProblem | string {
  const [question, answer] = [valueOf(row, 'question'), valueOf(row, 'answer')]
  if (typeof question !== 'string' || question.trim() === '') return `question: expected a text, got ${shown(question)}`
  const choices = choicesOf(valueOf(row, 'choices'))
  if (typeof choices === 'string') return choices
  const gold = choices === undefined ? plainAnswer(answer) : letterOf(answer, choices)
  if (gold === undefined) return choices === undefined ? `answer: expected a text or a number, got ${shown(answer)}` : `answer: expected one of the letters ${[...choices.keys()].join(', ')}, the number of a choice from 0, or its text, got ${shown(answer)}`
  const limit = row['max_tokens'] ?? maxTokens
  if (!Number.isInteger(limit) || Number(limit) < 1) return `max_tokens: expected a whole number from 1 on, got ${shown(limit)}`
  const { id, stop, system } = row
  if (stop !== undefined && !(Array.isArray(stop) && stop.every((text) => typeof text === 'string'))) return `stop: expected a list of texts, got ${shown(stop)}`
  if (system !== undefined && typeof system !== 'string') return `system: expected a text, got ${shown(system)}`
  const content = choices === undefined ? question : `${question}\n\n${[...choices].map(([letter, text]) => `${letter}. ${text}`).join('\n')}\n\nAnswer with the letter of the right choice alone.`
  return {
    ...(id === undefined || id === null ? {} : { id: String(id) }),
    task: plainAnswer(valueOf(row, 'task')) ?? 'questions',
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), { role: 'user', content }],
    prompt: system === undefined ? content : `${system}\n\n${content}`,
    maxTokens: Number(limit),
    ...(stop === undefined ? {} : { stop: stop as string[] }),
    gold,
  }
}

const valueOf = (row: JsonObject, what: keyof typeof KEYS): Json | undefined => KEYS[what].map((key) => row[key]).find((value) => value !== undefined && value !== null)

/** Choices by their letters, from a list or a mapping. */
function choicesOf(value: Json | undefined): Map<string, string> | undefined | string {
  if (value === undefined) return undefined
  const entries: [string, Json | undefined][] = Array.isArray(value) ? value.map((text, i) => [String.fromCharCode(65 + i), text]) : typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (entries.length < 2 || entries.length > 10 || entries.some(([letter, text]) => !/^[A-J]$/.test(letter) || plainAnswer(text) === undefined)) return `choices: expected 2 to 10 texts, as a list or by the letters A to J, got ${shown(value)}`
  return new Map(entries.map(([letter, text]) => [letter, String(text)]))
}

function letterOf(answer: Json | undefined, choices: ReadonlyMap<string, string>): string | undefined {
  const letters = [...choices.keys()]
  if (typeof answer === 'number') return letters[answer]
  if (typeof answer !== 'string') return undefined
  const text = answer.trim()
  return choices.has(text.toUpperCase()) ? text.toUpperCase() : letters.find((letter) => choices.get(letter)!.trim() === text)
}

const plainAnswer = (value: Json | undefined): string | undefined => (typeof value === 'number' ? String(value) : typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

function shown(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
