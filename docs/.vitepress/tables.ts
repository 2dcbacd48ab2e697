// On a phone, a row of a table is a block: columns side by side would be out of sight.

interface Token {
  readonly type: string;
  tag: string;
  readonly content: string;
  readonly children: readonly Token[] | null;
  attrSet(name: string, value: string): void;
}

/** Up to so many columns, a row reads well as a block. Wider tables are figures, to be compared column by column. */
const MOST_COLUMNS = 5;

const textOf = (cell: Token | undefined) => cell?.children?.map(({ content }) => content).join('') ?? '';

/** Marks the rows to show as blocks, and gives each cell the name of its column where the place alone doesn't tell. */
export function labelTables(tokens: readonly Token[], stacks: boolean): void {
  for (const [start, table] of tokens.entries()) {
    if (table.type !== 'table_open') continue;
    const end = tokens.findIndex(({ type }, index) => index > start && type === 'table_close');
    const parts = tokens.slice(start, end);
    const names = parts.flatMap(({ type }, index) => (type === 'th_open' ? [textOf(parts[index + 1])] : []));
    // A header without words is none.
    for (const [index, part] of parts.entries()) {
      const close = parts[index + 2];
      if (part.type !== 'th_open' || textOf(parts[index + 1]) !== '' || close === undefined) continue;
      part.tag = 'td';
      close.tag = 'td';
    }
    if (!stacks || names.length > MOST_COLUMNS) continue;
    let column = 0;
    for (const part of parts) {
      if (part.type === 'tr_open') {
        // The theme writes tables without their attributes.
        part.attrSet('class', 'stacked');
        column = 0;
      }
      if (part.type !== 'td_open') continue;
      const name = names[column] ?? '';
      if (column > 0 && names.length > 2 && name !== '') part.attrSet('data-column', name);
      column += 1;
    }
  }
}
