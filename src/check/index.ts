/**
 * Checks the library's assumptions about the exchange on a live cluster.
 *
 * @module heaven-pools/check
 */

export { parseDeployment, stringifyDeployment } from '../deployment-file.js';
export { type CheckDeploymentOptions, checkDeployment } from './check-deployment.js';
export type {
  Assumption,
  AssumptionVerdict,
  DeploymentCheck,
  DeploymentFinding,
  PublishedFees,
  SettledAssumption,
} from './deployment.js';
export {
  type DownloadProofSourceOptions,
  downloadProofSource,
} from './prove/download-source.js';
export { createSampleProofSource } from './prove/ground.js';
export type { ProofAnswer, ProofObservation, ProofVerdict } from './prove/infer.js';
export type { ObservedFailure } from './prove/journal.js';
export type { Proof, ProvenFailure, ProvenProgram } from './prove/proof.js';
export { type ProveProgramOptions, proveProgram } from './prove/prove-program.js';
export type { ProofCandidate, ProofChoice, ProofQuestion, ProofQuestionId } from './prove/questions.js';
export { describeProof, describeProofAsMarkdown } from './prove/report.js';
export type { ProofProgress } from './prove/run-scenarios.js';
export type { ProofAccount, ProofPool, ProofSource } from './prove/source.js';
export type { ProofProgram, ProofPrograms } from './prove/source-programs.js';
