/**
 * What settles on a cluster what this library assumes of the program.
 *
 * @module heaven-pools/check
 */

export { type CheckDeploymentOptions, checkDeployment } from './check-deployment.js';
export type {
  Assumption,
  DeploymentCheck,
  Finding,
  PublishedFees,
  Settled,
  Verdict,
} from './deployment.js';
