import { object, wireTransaction } from './codec.js';

/** The path that adds its mint's signature to a launch: this library's addition to the documented operations. */
export const MINT_SIGNATURE_PATH = '/launch/add-mint-signature';

export const mintSignatureRequest = /* @__PURE__ */ object({ tx: wireTransaction });
export const mintSignatureAnswer = /* @__PURE__ */ object({ tx: wireTransaction });
