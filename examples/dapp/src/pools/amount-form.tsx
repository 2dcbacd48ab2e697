// A deposit or a withdrawal: its amount, what it comes to, and the way to its review.
import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { formatUnits, readAmount, SOL, shareOf, toField, type Unit, UserError } from '../format';
import { useNetwork } from '../network/network';
import { type Pool, useBalances } from '../queries';
import { Facts, Field, Segment, Shares } from '../ui';
import { NextForm } from '../wallet/next-form';
import { useWallet } from '../wallet/wallet';
import { LP, largestDeposit, type Typed, usePlan, type useShare } from './liquidity';
import { useOpenPlan } from './plan';

type AmountInputProps = Pick<ComponentProps<typeof Field>, 'label' | 'value' | 'onChange' | 'problem'> & {
  held: bigint;
  of: Unit;
  onShare: (percent: bigint) => void;
};

/** An amount of what the wallet holds: typed, or a share of the most. */
export const AmountInput = ({ held, of, onShare, ...field }: AmountInputProps) => (
  <div className="field">
    <Field {...field} placeholder="0" inputMode="decimal" hint={`You have ${formatUnits(held, of)}.`} />
    <div className="row">
      <Shares of={[25n, 50n, 100n]} onChoose={onShare} />
    </div>
  </div>
);

interface AmountFormProps {
  noun: 'deposit' | 'withdrawal';
  pool: Pool;
  unit: Unit;
  share: ReturnType<typeof useShare>;
}

export function AmountForm({ noun, pool, unit, share }: AmountFormProps) {
  const { client } = useNetwork();
  const wallet = useWallet();
  const open = useOpenPlan(pool, unit);
  const { data: balances } = useBalances(pool.mint);
  const [text, setText] = useState('');
  const [side, setSide] = useState<'maxTokenB' | 'maxTokenA'>('maxTokenB');
  const typed: Typed = noun === 'deposit' ? side : 'lpTokensToBurn';
  const { of, held = 0n } = {
    maxTokenB: { of: SOL, held: balances?.lamports },
    maxTokenA: { of: unit, held: balances?.tokenUnits },
    lpTokensToBurn: { of: LP, held: share?.lpTokenBalance },
  }[typed];
  const most = async () => {
    if (noun === 'withdrawal' || balances === undefined) return held;
    if (balances.tokenUnits === 0n)
      throw new UserError(`A deposit takes SOL and ${unit.symbol}: you have no ${unit.symbol}.`);
    const { tokenA, tokenB } = await largestDeposit(client, pool, balances);
    return side === 'maxTokenA' ? tokenA : tokenB;
  };
  const fill = useMutation({
    mutationFn: async (percent: bigint) => setText(toField(shareOf(await most(), percent), of.decimals)),
  });
  const read = readAmount(text, of.decimals);
  const { amount } = read;
  const problem = wallet && amount > held ? `You have only ${formatUnits(held, of)}.` : read.problem;
  const { data: plan, error, isPlaceholderData } = usePlan(typed, pool, unit, problem ? 0n : amount);
  const hasFew = (what: 'tokenUnits' | 'lamports') =>
    plan?.needs && balances && balances[what] < plan.needs[what];
  const lacking = hasFew('lamports') ? SOL : hasFew('tokenUnits') ? unit : undefined;
  const isReady = amount > 0n && !problem && !lacking && plan && !isPlaceholderData;
  let next = `Review ${noun}`;
  if (problem) next = 'Check the amount';
  else if (amount === 0n) next = 'Enter an amount';
  else if (lacking) next = `Not enough ${lacking.symbol}`;
  const failure = (amount > 0n && error) || fill.error;
  return (
    <NextForm next={next} go={isReady && (() => open(noun, plan, () => setText('')))} error={failure}>
      {noun === 'deposit' && (
        <Segment
          label="Amount in"
          options={{ maxTokenB: 'SOL', maxTokenA: unit.symbol }}
          value={side}
          onChange={(chosen) => {
            setSide(chosen);
            setText('');
          }}
        />
      )}
      <AmountInput
        label={`${of.symbol} to ${noun === 'deposit' ? 'deposit' : 'withdraw'}`}
        value={text}
        onChange={setText}
        problem={problem}
        {...{ held, of }}
        onShare={(percent) => fill.mutate(percent)}
      />
      <div className={isPlaceholderData ? 'plan stale' : 'plan'}>
        {amount > 0n && plan ? (
          <Facts facts={plan.facts} />
        ) : (
          <p className="quiet">{`Both SOL and ${unit.symbol}, at the pool’s price.`}</p>
        )}
      </div>
    </NextForm>
  );
}
