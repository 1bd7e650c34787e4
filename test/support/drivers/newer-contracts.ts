/** Preloaded into a node: it has message contracts of a later version, which no longer reads today's. */
import { CONTRACTS } from "../../../shared/contracts/contract-version.ts";

CONTRACTS.version += 5;
CONTRACTS.oldest = CONTRACTS.version;
