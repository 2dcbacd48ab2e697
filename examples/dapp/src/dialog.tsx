import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

import { Button, Problem } from './ui';

const FIRST = ':is(.first, .pick, input:checked, .field input)';

type DialogProps = { title: string; className?: string; onClose: () => void; children: ReactNode };

/**
 * A modal dialog. Escape, its button and a click outside close it, and the focus goes back to where it was. It begins at the first thing to
 * fill in or to choose, or at the title.
 */
export function Dialog({ title, className = '', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => (before as HTMLElement | null)?.focus();
  }, []);
  // A new title is a new screen.
  useEffect(() => {
    if (title) (dialog.current?.querySelector<HTMLElement>(FIRST) ?? heading.current)?.focus();
  }, [title]);
  return (
    <dialog
      ref={dialog}
      className={`sheet ${className}`}
      aria-labelledby={id}
      closedby="any"
      onClose={onClose}
    >
      <div className="sheet-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Button className="chip icon" aria-label="Close" onClick={onClose}>
          ✕
        </Button>
      </div>
      {children}
    </dialog>
  );
}

type Act = [label: string, act: () => void];
type SheetFootProps = {
  cancel?: Act;
  go?: Act;
  isOff?: boolean;
  isFirst?: boolean;
  /** What to know before it is pressed for a second time. Without it, once is enough. */
  danger?: string | false | undefined;
  error?: unknown;
};

/** The buttons of a sheet, always in sight. The second half of a double click does nothing, nor does a key that is held. */
export function SheetFoot({ cancel, go, isOff = false, isFirst, danger, error }: SheetFootProps) {
  const [isSure, setIsSure] = useState(false);
  const asks = danger && !isSure;
  return (
    <div className="sheet-foot">
      <Problem>{isSure && danger}</Problem>
      <Problem error={error} />
      <div className="sheet-buttons">
        {cancel && <Button onClick={cancel[1]}>{cancel[0]}</Button>}
        {go && (
          <Button
            className={`primary ${isFirst ? 'first' : ''} ${danger ? 'danger' : ''}`}
            aria-disabled={isOff}
            onKeyDown={(event) => event.repeat && event.preventDefault()}
            onClick={({ detail }) => isOff || detail > 1 || (asks ? setIsSure(true) : go[1]())}
          >
            {asks ? `${go[0]}…` : go[0]}
          </Button>
        )}
      </div>
    </div>
  );
}
