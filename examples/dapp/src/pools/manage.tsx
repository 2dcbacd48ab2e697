// For the creator of a pro pool: what it earns, what is switched on, its fees, and who receives them.
import { useMutation } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';
import { decodeProtocolConfig } from 'heaven-pools/program';
import { useState } from 'react';

import { SOL, shortenAddress, type Unit, UserError } from '../format';
import { useNetwork } from '../network/network';
import type { Pool } from '../queries';
import { amountFact, Button, CopyAddress, Facts, Problem, Segment } from '../ui';
import { useWallet, useWalletState, type Wallet } from '../wallet/wallet';
import { FeeFields } from './fee-fields';
import {
  FEE_NAMES,
  FEES,
  type FeeName,
  type FeeSteps,
  formatStep,
  mostBps,
  problemIn,
  stepsOf,
  toBrackets,
  toSlots,
} from './fees';
import { claim } from './liquidity';
import { useOpenPlan } from './plan';

interface ManageProps {
  pool: Pool;
  state: heaven.LiquidityPoolState;
  snapshot: heaven.FetchedPoolSnapshot;
  open: ReturnType<typeof useOpenPlan>;
}

export function Manage({ unit, ...shown }: Omit<ManageProps, 'open'> & { unit: Unit }) {
  const { pool, state } = shown;
  const { client } = useNetwork();
  const open = useOpenPlan(pool, unit);
  const props = { ...shown, open };
  const claimed = state.creatorTradingFeesClaimedByCreator + state.creatorTradingFeesClaimedByOthers;
  const waiting = state.creatorTradingFees;
  const isReceiver = useWallet()?.address === state.creatorTradingFeeReceiver;
  const canClaim = isReceiver && waiting > 0n;
  return (
    <div className="fields">
      <h3>Creator fees</h3>
      <Facts
        facts={[
          amountFact('Earned so far', waiting + claimed, SOL, true),
          amountFact('Claimed', claimed, SOL),
          amountFact('To claim', waiting, SOL),
        ]}
      />
      <Button
        aria-disabled={!canClaim}
        onClick={() => canClaim && open('claim', claim('token', client, pool, waiting))}
      >
        {canClaim ? 'Review claim' : isReceiver ? 'Nothing to claim yet' : 'The receiver below claims them'}
      </Button>
      <h3>Switches</h3>
      <ul className="claims">
        {(Object.keys(SWITCHES) as SwitchName[]).map((of) => (
          <Switch key={of} of={of} {...props} />
        ))}
      </ul>
      <h3>Fees</h3>
      <FeeForm {...props} />
      <h3>Who receives the creator fees</h3>
      <Receiver {...props} />
    </div>
  );
}

const SWITCHES = {
  swap: { name: 'Trading', whileOff: 'Nobody can buy or sell.', build: heaven.buildProToggleSwap },
  depositLiquidity: {
    name: 'Deposits',
    whileOff: 'Nobody can deposit.',
    build: heaven.buildProToggleDeposit,
  },
  removeLiquidity: {
    name: 'Withdrawals',
    whileOff: 'Nobody can withdraw, and neither can you.',
    build: heaven.buildProToggleWithdraw,
  },
} as const;
type SwitchName = keyof typeof SWITCHES;

function Switch({ pool, state, open, of }: ManageProps & { of: SwitchName }) {
  const { client } = useNetwork();
  const { name, whileOff, build } = SWITCHES[of];
  const isOn = state.allowlist[of] === 1;
  const act = isOn ? 'Turn off' : 'Turn on';
  const change = () =>
    open('change', {
      facts: [
        { term: name, value: isOn ? 'off' : 'on', isStrong: true },
        isOn && { term: 'While it is off', value: whileOff },
      ],
      build: (options) => build(client, { pool: pool.address, enabled: !isOn, ...options }),
    });
  return (
    <li className="market-head">
      <span>
        {name}: <strong>{isOn ? 'on' : 'off'}</strong>
      </span>
      <Button className="chip" aria-label={`${act} ${name}`} onClick={change}>
        {act}
      </Button>
    </li>
  );
}

function FeeForm({ pool, state, snapshot, open }: ManageProps) {
  const { client } = useNetwork();
  const [fee, setFee] = useState<FeeName>('creatorTradingFee');
  const [drafts, setDrafts] = useState<Partial<FeeSteps>>({});
  const { label, isOfCreator, by, build } = FEES[fee];
  const steps = drafts[fee] ?? stepsOf(state)[fee];
  const most = mostBps(fee, decodeProtocolConfig(snapshot.data.protocolConfig));
  const isFixed = isOfCreator && state.allowlist.updateCreatorTradingFee !== 1;
  const isReady = !isFixed && drafts[fee] !== undefined && problemIn(fee, steps, most) === undefined;
  const review = () => {
    if (!isReady) return;
    const input = by === 'slot' ? toSlots(steps) : { brackets: toBrackets(fee, steps) };
    open(
      'change',
      {
        facts: [
          { term: 'Fee', value: label, isStrong: true },
          ...input.brackets.map((step, at) => ({ term: `Step ${at + 1}`, value: formatStep(step) })),
          input.brackets.length === 0 && { term: 'From now on', value: 'None' },
        ],
        build: (options) => (build as Setter)(client, { pool: pool.address, ...input, ...options }),
      },
      () => setDrafts({}),
    );
  };
  return (
    <>
      <Segment label="Which fee" options={LABELS} value={fee} onChange={setFee} />
      {isFixed ? (
        <p className="quiet">The creator fee of this pool was made final when it was created.</p>
      ) : (
        <FeeFields {...{ fee, steps, most }} onChange={(next) => setDrafts({ ...drafts, [fee]: next })} />
      )}
      <Button aria-disabled={!isReady} onClick={review}>
        Review change
      </Button>
    </>
  );
}
const LABELS = Object.fromEntries(FEE_NAMES.map((fee) => [fee, FEES[fee].label])) as Record<FeeName, string>;
// They differ in what the steps are called, which `by` decides.
type Setter = (client: heaven.HeavenClient, input: object) => Promise<heaven.BuiltTransaction>;

/** The creator and the receiver both sign, so the receiver is another wallet in this browser, or the creator again. */
function Receiver({ pool, state, open }: ManageProps) {
  const { client } = useNetwork();
  const { wallet, found, askSecond } = useWalletState();
  const now = state.creatorTradingFeeReceiver;
  const others = found.filter(({ name }) => name !== wallet?.name);
  const give = (receiver: Wallet, lastSigner?: Wallet) => {
    const { mint, configVersion: version } = pool;
    const { address: newReceiver, name } = receiver;
    const shown = { value: shortenAddress(newReceiver), exact: newReceiver, isStrong: true };
    open('change', {
      facts: [
        { term: 'Creator fees go to', ...shown },
        { term: 'Who signs', value: lastSigner ? `${wallet?.name}, then ${name}` : name },
      ],
      build: ({ transactionVersion, ...options }) =>
        heaven.buildProUpdateCreatorFeeReceiver(client, {
          ...{ pool: pool.address, mint, version, newReceiver, ...options },
          // Both must be able to sign it.
          transactionVersion: receiver.version === 0 ? 0 : transactionVersion,
        }),
      lastSigner,
    });
  };
  const choosing = useMutation({
    mutationFn: async (one: (typeof found)[number]) => {
      const second = await askSecond(one);
      if (second.address === wallet?.address || second.address === now)
        throw new UserError(`${second.name} has that account now. Choose another account there.`);
      give(second, second);
    },
  });
  return (
    <>
      <CopyAddress text={now} label="Copy address" />
      <div className="row">
        {wallet && wallet.address !== now && <Button onClick={() => give(wallet)}>Take them back</Button>}
        {others.map((one) => (
          <Button key={one.name} onClick={() => choosing.mutate(one)}>{`Give them to ${one.name}`}</Button>
        ))}
      </div>
      {others.length === 0 && (
        <p className="quiet">To give them away, add the other wallet to this browser: both sign.</p>
      )}
      <Problem error={choosing.error} />
    </>
  );
}
