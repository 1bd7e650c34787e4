import { z } from "zod";

/**
 * Version of the messages between nodes: actions, events and jobs. Raise it with a change that a node of the version
 * before reads wrongly, or with a migration that it can't run on. Raise `oldest` if this version can't read theirs.
 *
 * 1: nodes announce their version. 2: jobs carry it, too. 3: capture jobs name the region whose renderers take them.
 */
export const CONTRACTS: ContractRange = { version: 3, oldest: 1 };

/** The version since which renderers take only the jobs of their own region. */
export const REGIONAL_JOBS = 3;

/** What a node can read: its own version, and those since `oldest`. */
export interface ContractRange {
  version: number;
  oldest: number;
}

/** A range as a node announces it. */
export const contractRange = z.object({ version: z.int().min(0), oldest: z.int().min(0) });

/** Nodes before the first version announce none. */
export const NO_CONTRACTS: ContractRange = { version: 0, oldest: 0 };

/** Returns whether two nodes can work together: the newer one still reads the older one's messages. */
export function areCompatible(one: ContractRange, other: ContractRange): boolean {
  return one.version >= other.version ? other.version >= one.oldest : one.version >= other.oldest;
}
