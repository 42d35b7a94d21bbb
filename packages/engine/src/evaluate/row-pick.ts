import { ROW_CLASS } from '../journal/row-class.js'

/** Rows of the loaded batch that belong together, by selection. */
export class RowPick {
  readonly success = new RowList()
  readonly error = new RowList()
  readonly all = new RowList()

  add(row: number, rowClass: number): void {
    this.all.push(row)
    if (rowClass === ROW_CLASS.success) this.success.push(row)
    else if (rowClass === ROW_CLASS.error) this.error.push(row)
  }

  clear(): void {
    this.success.count = this.error.count = this.all.count = 0
  }
}

class RowList {
  rows = new Int32Array(64)
  count = 0

  push(row: number): void {
    if (this.count === this.rows.length) {
      const larger = new Int32Array(this.count * 4)
      larger.set(this.rows)
      this.rows = larger
    }
    this.rows[this.count++] = row
  }
}
