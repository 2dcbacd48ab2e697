// What a wallet signed, if it isn't what it was given. All figures are of the signed bytes, and none of the request.
import type { TransactionDebit, TransactionInspection } from 'heaven-pools';
import { WRAPPED_SOL_MINT_ADDRESS } from 'heaven-pools/program';

import { SheetFoot } from '../dialog';
import { formatExact, SOL, shortenAddress, type Unit } from '../format';
import { type Fact, Facts, Problem, Warnings } from '../ui';
import type { Operation } from './review';
import type { Changed, Signing } from './use-signing';
import { warningsInWords } from './warnings';

/** What may be sent all the same. Any other warning means rights for others, or what can't be read. */
const BEARABLE = ['high-priority-fee', 'minimum-too-low', 'unchecked-minimum', 'unknown-recipient'];

/** What was signed, as far as money goes: what is taken, and what must arrive at least, and where. */
function signedFacts({ debits, credits }: TransactionInspection, wallet: string, token: Operation['token']) {
  const unitOf = ({ asset, mint }: Pick<TransactionDebit, 'asset' | 'mint'>): Unit => {
    if (asset === 'SOL' || mint === WRAPPED_SOL_MINT_ADDRESS) return SOL;
    return mint === token.mint ? token : { decimals: 0, symbol: `units of ${shortenAddress(mint ?? asset)}` };
  };
  const write = (amount: TransactionDebit['amount'], unit: Unit) =>
    typeof amount === 'bigint' ? formatExact(amount, unit) : 'everything';
  const taken = debits
    .filter(({ account, asset }) => asset !== 'SOL' || account === wallet)
    .map((one): Fact => {
      const unit = unitOf(one);
      const term = one.asset === 'SOL' ? 'Leaves your wallet, with fees and rent' : `Takes ${unit.symbol}`;
      return { term, value: write(one.amount, unit), isStrong: true };
    });
  const received = credits.flatMap((one): Fact[] => {
    const isOwn = one.ownership.kind !== 'unknown' && one.ownership.owner === wallet;
    // Rent of the wallet's own accounts, and what it wraps for the trade.
    if (isOwn && one.amount !== 'unknown') return [];
    const least = one.amount === 'unknown' ? one.minimum : one.amount;
    const term = `At least, to ${isOwn ? 'your wallet' : shortenAddress(one.account)}`;
    const tone = isOwn && least !== 0n ? undefined : 'bad';
    return [{ term, value: write(least, unitOf(one)), exact: one.account, isStrong: true, tone }];
  });
  return [...taken.reverse(), ...received];
}

type ChangedProps = { signing: Signing; changed: Changed; wallet: string; onClose: () => void };

/** Shows it, and sends it only when told so twice, and only if all of it is understood. */
export function ChangedByWallet({ signing, changed: { inspection, follow }, wallet, onClose }: ChangedProps) {
  const { instructions, debits, fees, warnings } = inspection;
  const strange = instructions.find(({ name }) => name === undefined);
  const reasons = [
    strange && `This page can’t read an instruction of ${shortenAddress(strange.programAddress)}.`,
    debits.some(({ amount }) => amount === 'unknown') && 'It doesn’t say how much it takes.',
    ...warningsInWords(warnings.filter(({ code }) => !BEARABLE.includes(code))),
  ].filter(Boolean);
  const isUnderstood = reasons.length === 0;
  return (
    <>
      <Problem>
        {isUnderstood
          ? 'Nothing is sent yet. Look at what it signed:'
          : `It can’t be sent. ${reasons.join(' ')}`}
      </Problem>
      <Warnings warnings={warningsInWords(warnings.filter(({ code }) => code === 'high-priority-fee'))} />
      <section className="signed">
        <Facts
          facts={[
            ...signedFacts(inspection, wallet, signing.operation.token),
            { term: 'Network fees', value: formatExact(fees.total, SOL), isStrong: true },
            { term: 'of which priority', value: formatExact(fees.priority, SOL), isPart: true },
          ]}
        />
      </section>
      <SheetFoot
        danger="Send this? It can’t be undone."
        error={signing.error}
        cancel={['Cancel', onClose]}
        {...(isUnderstood && { go: ['Send it', () => signing.follow(follow)] })}
      />
    </>
  );
}
