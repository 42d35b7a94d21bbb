import type { PageData } from '../src/report/page-data.js'
import { startComparisonPage } from './comparison-page.js'
import { pageData } from './dom.js'
import { startRunPage } from './run-page.js'
import { sortable } from './tables.js'
import { startTheme } from './theme.js'

const data = pageData<PageData>()
startTheme()
if (data.kind === 'run') startRunPage(data)
else startComparisonPage(data)
for (const table of document.querySelectorAll<HTMLTableElement>('table.sortable')) sortable(table)
document.documentElement.dataset['started'] = ''
