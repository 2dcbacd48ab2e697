import type { Field } from './model.js';

// The unit of a field, from what is written anyway: its name, or its docstring, or the docstring of its type.

/** Names of `bigint` fields that say their unit, in the order in which they are tried. */
const NAMES: readonly (readonly [name: RegExp, unit: string])[] = [
  [/lamportsPerByte$/i, 'lamports per byte'],
  [/unitPrice$|^microLamports$|^prioritizationFee$/i, 'micro-lamports per compute unit'],
  [/^unitsConsumed$/, 'compute units'],
  [/lamports?(?=[A-Z]|$)/i, 'lamports'],
  [/slot$|^slotBefore$|^resumesAt$|^parent$/i, 'slot'],
  [/blockHeight$/i, 'block height'],
  [/unixTimestamp$|^blockTime$|^timestamp$/i, 'Unix seconds'],
  [/bps$|^basisPoints$/i, 'basis points'],
  [/^accumulatedFeePerLpToken$/, 'lamports per LP token'],
  [/lp(?:Token|Supply)/i, 'LP units'],
  [/tokenUnits$/i, 'token units'],
  [/(?:[tT]oken|[rR]eserve|initial|snapshot)A(?=[A-Z]|$)|^base/, 'token units'],
  [/(?:[tT]oken|[rR]eserve|initial|snapshot)B(?=[A-Z]|$)|^quote(?:In|Out|Amount|Reserve|Token)/, 'lamports'],
  [/SolSpen[dt]$|WsolReserve$|[tT]radingFees?(?=[A-Z]|$)|^pendingFees$|^createPoolFee$/, 'lamports'],
  [/^rewardDebt$/, 'lamports'],
  [/^marketCapUpperBound$/, 'US dollars, in pro pools millionths'],
  [/^answer$/, 'dollars × 10^decimals'],
  [/^epoch$/, 'epoch'],
];

/** What a docstring calls a unit, and what the reference calls it. */
const WORDS: readonly (readonly [words: RegExp, unit: string])[] = [
  [/micro-?lamports/i, 'micro-lamports per compute unit'],
  [/(?<!micro-)lamports per byte/i, 'lamports per byte'],
  [/millionths of a (?:US )?dollar|micro-?dollars/i, 'millionths of a dollar'],
  [/LP (?:tokens|units)/, 'LP units'],
  [/native units of the asset/i, 'native units'],
  [/(?<!LP tokens(?:,| in) )(?:native|token) units(?! of the asset)/i, 'token units'],
  [/(?<!micro-)lamports(?! per)/i, 'lamports'],
  [/Unix seconds/i, 'Unix seconds'],
  [/basis points/i, 'basis points'],
  [/milliseconds/i, 'milliseconds'],
  [/block height/i, 'block height'],
  [/compute units/i, 'compute units'],
  [/bytes/i, 'bytes'],
];
/** Whole numbers that count or order things, and those whose unit nobody has documented. */
const UNITLESS = /^(?:poolCount|writeVersion|maxSupplyPerWallet|totalMsolReceived|totalRealizedProfit)$/;
/** Only of a field that has no other unit: many amounts are those of a slot. */
const SLOTS = /\bslots?\b/i;

const byWords = (text: string): readonly string[] => {
  const found = WORDS.flatMap(([words, unit]) => {
    const at = words.exec(text)?.index;
    return at === undefined ? [] : [{ at, unit }];
  });
  return [...new Set(found.sort((a, b) => a.at - b.at).map(({ unit }) => unit))];
};

/** Those of a field that is a number or a UI amount. */
const NUMBERS: typeof NAMES = [
  [/Sol(?:Spend)?$/, 'SOL'],
  [/Usd$/, 'US dollars'],
  [/Percent$/, 'percent'],
  [/Seconds$/, 'seconds'],
  [/Ms$/, 'milliseconds'],
  [/Bytes$/, 'bytes'],
  [/[bB]ps$|^basisPoints$/, 'basis points'],
  [/^computeUnitLimit$|[cC]omputeUnits$/, 'compute units'],
];

const byName = (name: string, isWhole: boolean) =>
  (isWhole ? NAMES : NUMBERS).find(([pattern]) => pattern.test(name))?.[1];

/** Units that a type can have for all its fields: "The fees in lamports." */
const COMMON = /lamports|units|basis points|seconds/;

/** The unit that the docstring of a type states for one of its fields: `maxSolSpend` in lamports. */
const byType = (name: string, text: string) =>
  new RegExp(`\`${name}\`(?: and \`\\w+\`)?(?: (?:are|is))? in ([\\w ]+)`).exec(text)?.[1] ?? '';

/** A type without what stands inside of an object or a function. */
const plainType = (type: string) => type.replace(/\{.*\}|\(.*\)/g, '');

/** Whether the reference has to state a unit. A test looks at every public field. */
export const needsUnit = ({ name, type }: Field): boolean =>
  plainType(type).includes('bigint') && !UNITLESS.test(name);

/** The unit of a field, such as `lamports`; of one whose unit depends on the side, both: `token units or lamports`. */
export function unitOf(field: Field, typeText = ''): string | undefined {
  const { name, type, text } = field;
  if (!/\b(?:bigint|number|UiAmount)\b/.test(plainType(type))) return undefined;
  const named = byName(name, plainType(type).includes('bigint'));
  if (named !== undefined || !needsUnit(field)) return named;
  const words = [byWords(text), byWords(byType(name, typeText))].find(({ length }) => length > 0);
  if (words !== undefined) return words.join(' or ');
  if (SLOTS.test(text)) return 'slots';
  const common = byWords(typeText).filter((unit) => COMMON.test(unit) && unit !== 'compute units');
  return common.length > 0 ? common.join(' or ') : undefined;
}

/** A docstring without what the unit beside it says already. */
export const withoutUnit = (text: string): string =>
  /^(?:In )?(?:micro-)?(?:lamports|token units|native units|basis points|Unix seconds|bytes)\.$/i.test(text)
    ? ''
    : text;
