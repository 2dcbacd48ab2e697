/**
 * The library's warnings in a trader's words. `null`: the page says it with its own figures, or only a developer can use it. A code that
 * isn't here keeps its own sentence.
 */
const WORDS: Record<string, string | null> = {
  'account-stays-open': null,
  'compute-limit-too-high': null,
  'little-room-for-guards': null,
  'minimum-not-reached': null,
  'minimum-too-low': null,
  'price-impact': null,
  'same-slot-trading': null,
  'unverified-assumption': null,
  'account-locked': 'It would lock your wallet’s SOL for good.',
  anything: 'A part of it is not understood. It could take anything from your wallet.',
  'authority-change': 'It gives control of one of your accounts away.',
  'bound-to-fail': 'It would fail.',
  delegation: 'It lets someone else take tokens from your wallet.',
  'durable-nonce': 'Once signed, it can be sent at any time, even days from now.',
  'frozen-accounts':
    'New accounts of this token are frozen: you can’t trade it until its issuer unfreezes yours.',
  'high-priority-fee': 'The priority fee is unusually high.',
  'high-tip': 'The tip is unusually high.',
  'invalid-signature': 'Its signature is not valid.',
  'insufficient-balance': 'Your wallet doesn’t hold that much.',
  'low-liquid-sol': 'The exchange may not have that much SOL at hand. If the sale fails, sell less.',
  'sandwich-window':
    'This pool was traded just now. To stop sandwich attacks, it gives you the worse of two prices.',
  'spend-too-high': 'The purchase may cost much more than it does now. Choose less slippage.',
  'stale-price': 'The dollar price of SOL is old, so the fees may be a little off.',
  'transfer-fee': 'The token keeps a part of every transfer for itself. The amounts include that.',
  'transfer-hook': 'The token runs a program of its own on every transfer, so the trade will fail.',
  'unchecked-minimum': 'It is not clear whether the minimum protects you.',
  'unresolved-lookup-table': 'Some of its accounts are hidden.',
  'wallet-limit': 'That is more of this token than one wallet may buy. If the trade fails, buy less.',
};

/** Each of them once. */
export function warningsInWords(warnings: readonly { code: string; message: string }[]): string[] {
  const words = warnings.map(({ code, message }) => (code in WORDS ? WORDS[code] : message));
  return [...new Set(words)].filter((text) => typeof text === 'string');
}
