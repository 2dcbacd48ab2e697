import { Button, Field, Problem } from '../ui';
import { FEES, type FeeName, isRest, mostSteps, problemIn, type Step } from './fees';

interface FeeFieldsProps {
  fee: FeeName;
  steps: readonly Step[];
  /** The highest fee, in basis points. */
  most: number;
  onChange: (steps: readonly Step[]) => void;
}

/** A fee to type: none, one for ever, or steps. */
export function FeeFields({ fee, steps, most, onChange }: FeeFieldsProps) {
  const { label, hint, by } = FEES[fee];
  const field = (index: number, name: keyof Step, text: string) => (
    <Field
      label={text}
      inputMode="decimal"
      value={steps[index]?.[name] ?? ''}
      onChange={(value) => onChange(steps.map((one, at) => (at === index ? { ...one, [name]: value } : one)))}
    />
  );
  return (
    <fieldset>
      <legend>{label}</legend>
      <p className="quiet">{hint}</p>
      {steps.map((_, index) => (
        // A row is a place in the list.
        <div className="fee-row" key={String(index)}>
          {isRest(fee, steps, index) ? (
            <p className="quiet">{steps.length === 1 ? 'Always' : 'Above that'}</p>
          ) : (
            field(index, 'upTo', by === 'slot' ? 'Until slot' : 'Up to $')
          )}
          {field(index, 'buy', 'Buy %')}
          {field(index, 'sell', 'Sell %')}
          <Button
            className="chip icon"
            aria-label={`Remove step ${index + 1} of ${label}`}
            onClick={() => onChange(steps.filter((__, at) => at !== index))}
          >
            ✕
          </Button>
        </div>
      ))}
      <div className="row">
        {steps.length < mostSteps(fee) && (
          <Button className="chip" onClick={() => onChange([...steps, { upTo: '', buy: '', sell: '' }])}>
            {steps.length === 0 ? 'Add a fee' : 'Add a step'}
          </Button>
        )}
        {steps.length === 0 && <span className="quiet">None.</span>}
      </div>
      <Problem>{problemIn(fee, steps, most)}</Problem>
    </fieldset>
  );
}
