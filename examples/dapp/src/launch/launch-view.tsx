import { useQuery } from '@tanstack/react-query';
import * as heaven from 'heaven-pools';
import type { ReactNode } from 'react';

import { explainError } from '../format';
import { useNetwork } from '../network/network';
import { Segment } from '../ui';
import { useDraft } from './draft';
import { ProForm } from './pro-form';
import { TokenForm } from './token-form';

/** What can be launched, by the version of its config. */
const KINDS = {
  1: {
    name: 'Community token',
    about: 'A new token in a community pool: low fees, and a small share of them for you.',
    Form: TokenForm,
  },
  2: {
    name: 'Creator token',
    about: 'A new token in a creator pool: higher fees, and a larger share of them for you.',
    Form: TokenForm,
  },
  3: {
    name: 'Pro pool',
    about: 'For a token that you hold: you bring both sides, set the fees, and may change them later.',
    Form: ProForm,
  },
} as const;

export interface LaunchFormProps {
  terms: heaven.ProtocolConfig;
  /** What the review calls it. */
  kind: string;
  /** The head of the form's card. */
  children: ReactNode;
}

/** The terms of each kind that the chain accepts now. */
function useTerms() {
  const { client, rpcUrl } = useNetwork();
  return useQuery({
    queryKey: [rpcUrl, 'launch terms'],
    queryFn: async ({ signal: abortSignal }) => {
      const read = (version: number) =>
        heaven.getProtocolConfigState(client, { version, abortSignal }).catch((error) => {
          // A cluster may lack one of them.
          if (heaven.isHeavenError(error, 'account-not-found')) return undefined;
          throw error;
        });
      const all = await Promise.all(Object.keys(KINDS).map(Number).map(read));
      return all.filter((terms) => terms?.allowCreatePool === 1) as heaven.ProtocolConfig[];
    },
  });
}

export default function LaunchView() {
  const { data: accepted, error } = useTerms();
  const [{ wanted }, want] = useDraft('kind', { wanted: '' });
  const kindOf = ({ version }: heaven.ProtocolConfig) => KINDS[version as keyof typeof KINDS];
  const terms = accepted?.find((one) => kindOf(one).name === wanted) ?? accepted?.[0];
  if (accepted === undefined || terms === undefined)
    return (
      <p className="card quiet">
        {error
          ? explainError(error).message
          : accepted
            ? 'The exchange accepts no launches now.'
            : 'Loading…'}
      </p>
    );
  const { name, about, Form } = kindOf(terms);
  return (
    <div className="columns even">
      <Form terms={terms} kind={name}>
        <h2 id="launch-title">Launch</h2>
        <Segment
          label="What to launch"
          options={Object.fromEntries(accepted.map(kindOf).map((one) => [one.name, one.name]))}
          value={name}
          onChange={(chosen) => want({ wanted: chosen })}
        />
        <p className="quiet">{about}</p>
      </Form>
    </div>
  );
}
