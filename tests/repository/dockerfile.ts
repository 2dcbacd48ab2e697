import { readFileSync } from 'node:fs';

/** An instruction of a Dockerfile: `COPY` and `src ./src`. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of the image: continued lines joined, comments left out. */
export const instructions: readonly Instruction[] = readFileSync(
  new URL('../../examples/deploy/Dockerfile', import.meta.url),
  'utf8',
)
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [name = '', ...words] = line.split(' ');
    return { name, text: words.join(' ') };
  });
