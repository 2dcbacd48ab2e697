import { useEffect, useState } from 'react';

const RING_SECONDS = 30;

/** How old the quote is, as a ring and in seconds. A click reads the pool again. */
export function QuoteAge({ readAt, onRefresh }: { readonly readAt: number; readonly onRefresh: () => void }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(Math.round((now - readAt) / 1_000), 0);
  return (
    <button type="button" className="plain age" onClick={onRefresh}>
      <span className="hidden">Refresh the quote, made</span>
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <circle cx="10" cy="10" r="8" className="ring" />
        <circle
          cx="10"
          cy="10"
          r="8"
          className="ring-age"
          pathLength="100"
          strokeDasharray={`${Math.min((seconds / RING_SECONDS) * 100, 100)} 100`}
        />
      </svg>
      {readAt === 0 ? '' : seconds < 60 ? `${seconds} s` : '1 min+'}
      <span className="hidden"> ago</span>
    </button>
  );
}
