import { useEffect, useState } from 'react';

const RING_SECONDS = 30;

/** How old the quote is, as a ring and in seconds. A click reads the pool again. */
export function QuoteAge({ readAt, onRefresh }: { readAt: number; onRefresh: () => void }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(Math.round((now - readAt) / 1_000), 0);
  return (
    <button type="button" className="plain age" onClick={onRefresh}>
      <span className="hidden">Refresh the quote, made</span>
      <svg viewBox="0 0 20 20" width="18" height="18" fill="none" strokeWidth="2" aria-hidden="true">
        <circle cx="10" cy="10" r="8" stroke="var(--border)" />
        <circle
          cx="10"
          cy="10"
          r="8"
          stroke="var(--accent)"
          transform="rotate(-90 10 10)"
          pathLength="100"
          strokeDasharray={`${Math.min((seconds / RING_SECONDS) * 100, 100)} 100`}
        />
      </svg>
      {readAt === 0 ? '' : seconds < 60 ? `${seconds} s` : '1 min+'}
      <span className="hidden"> ago</span>
    </button>
  );
}
