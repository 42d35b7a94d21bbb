import type { MessagesPageData, PageConversation, PageMessage, PageTurn } from '../src/report/page-data.js'
import { shown } from '../src/report/numbers.js'
import { byId, el, pageData } from './dom.js'
import { startTheme } from './theme.js'

/** The conversations on the left, the turns of the chosen one beside them. */
function start({ messages, conversations }: MessagesPageData): void {
  const place = el('div', { class: 'turns' })
  const list = el('div', { class: 'talks', role: 'listbox', tabindex: 0, 'aria-label': 'Conversations' })
  let chosen = 0
  const choose = (index: number): void => {
    chosen = Math.max(0, Math.min(shownList().length - 1, index))
    for (const [i, item] of [...list.children].entries()) item.setAttribute('aria-selected', String(i === chosen))
    list.setAttribute('aria-activedescendant', list.children[chosen]?.id ?? '')
    list.children[chosen]?.scrollIntoView({ block: 'nearest' })
    const talk = shownList()[chosen]
    place.replaceChildren(...(talk ? turnsOf(talk, messages) : [el('p', { class: 'nothing' }, 'No conversation of that name or text.')]))
  }
  let search = ''
  const holds = (talk: PageConversation): boolean => search === '' || talk.name.toLowerCase().includes(search) || talk.turns.some((t) => [...t.sent, ...(t.reply === undefined ? [] : [t.reply])].some((m) => messages[m]!.text.toLowerCase().includes(search)))
  const shownList = (): PageConversation[] => conversations.filter(holds)
  const fill = (): void => {
    list.replaceChildren(...shownList().map((talk, i) => el('div', { role: 'option', id: `talk-${i}`, click: () => choose(i), style: `padding-left:${10 + 14 * talk.depth}px` }, el('b', {}, talk.name), el('span', {}, `${talk.turns.length + talk.more} ${talk.turns.length + talk.more === 1 ? 'turn' : 'turns'} · at ${shown(talk.turns[0]!.start)} s`))))
    choose(0)
  }
  list.addEventListener('keydown', (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined) return
    choose(chosen + by)
    event.preventDefault()
  })
  const find = el('input', { type: 'search', placeholder: 'Find text', 'aria-label': 'Find text', input: () => {
    search = find.value.toLowerCase()
    fill()
  } })
  byId('messages-body')!.replaceChildren(el('div', { class: 'talk' }, el('div', {}, find, list), place))
  fill()
}

/** What a turn sent beyond the turn before, with the rest folded away. */
function turnsOf(talk: PageConversation, messages: readonly PageMessage[]): HTMLElement[] {
  const cards = talk.turns.map((turn, i) => {
    const before = talk.turns[i - 1]
    const known = before ? common([...before.sent, ...(before.reply === undefined ? [] : [before.reply])], turn.sent) : 0
    return el('article', { class: 'turn' },
      el('h2', {}, `Turn ${turn.turn}`, el('span', {}, ` at ${shown(turn.start)} s, ${shown(turn.seconds * 1000)} ms${turn.status === undefined || turn.status === 200 ? '' : `, status ${turn.status}`}`)),
      known > 0 && el('details', {}, el('summary', {}, `${known} earlier ${known === 1 ? 'message' : 'messages'}, sent again`), ...turn.sent.slice(0, known).map((m) => message(messages[m]!))),
      ...turn.sent.slice(known).map((m) => message(messages[m]!)),
      reply(turn, messages),
    )
  })
  return talk.more > 0 ? [...cards, el('p', { class: 'nothing' }, `${talk.more} more turns are left out.`)] : cards
}

function reply(turn: PageTurn, messages: readonly PageMessage[]): HTMLElement | false {
  if (turn.error !== undefined) return el('div', { class: 'message failed' }, el('b', {}, 'error'), el('p', {}, turn.error))
  return turn.reply !== undefined && message({ ...messages[turn.reply]!, role: 'answer' })
}

const common = (a: readonly number[], b: readonly number[]): number => {
  let n = 0
  while (n < a.length && n < b.length && a[n] === b[n]) n++
  return n
}

const message = ({ role, text, length }: PageMessage): HTMLElement =>
  el('div', { class: `message ${role}` }, el('b', {}, role), el('p', {}, text), length !== undefined && el('span', { class: 'cut' }, `… ${length.toLocaleString('en-US')} characters in all`))

startTheme()
start(pageData<MessagesPageData>())
document.documentElement.dataset['started'] = ''
