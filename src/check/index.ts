/**
 * Settles the library's assumptions about the exchange on a live cluster.
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
