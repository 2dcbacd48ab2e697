// What to say about the metadata file of a token. Loaded on demand.
import {
  compareUriMetadata,
  type MetadataDifference,
  type MetadataProblem,
  type UriMetadata,
} from 'heaven-pools';

const PROBLEMS: Partial<Record<MetadataProblem['code'], string>> = {
  'unsafe-url': 'This is not an https: address of a public host, so wallets will not load it.',
  'too-large': 'This file is larger than 64 KB. Wallets may not load it.',
  timeout: 'The host of this file does not answer.',
  'not-json': 'This file is not a JSON object.',
};

/** Why the file can't be read or its image can't be shown. */
function problemOf({ problems: [problem], image }: UriMetadata): string | undefined {
  if (problem?.source === 'image') return 'The image in this file is not at an https: or ipfs: address.';
  if (problem !== undefined)
    return (
      PROBLEMS[problem.code] ??
      'This page could not read the file. Check the address, and that any site may read it.'
    );
  return image === undefined ? 'This file names no image.' : undefined;
}

function inWords({ field, asked, found }: MetadataDifference): string {
  const quoted = (text: string) => `“${text.length > 80 ? `${text.slice(0, 79)}…` : text}”`;
  return `The ${field} is ${found === undefined ? 'missing' : quoted(found)} in the file, and ${quoted(asked)} in the form.`;
}

/** What the file says, where it differs from the form, and both as warnings. */
export function describeFile(file: UriMetadata, form: UriMetadata) {
  const { name, symbol, image } = file;
  const problem = problemOf(file);
  const isUnread = problem !== undefined && name === undefined && image === undefined;
  const differences = isUnread ? [] : compareUriMetadata(form, file).map(inWords);
  const called = name === undefined ? '' : `, and calls the token ${name.value} (${symbol?.value ?? '–'})`;
  return {
    hint: problem ?? `The file has an image${called}.`,
    differences,
    warnings: problem === undefined ? differences : [problem, ...differences],
  };
}
