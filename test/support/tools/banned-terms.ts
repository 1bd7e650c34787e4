import { bannedTerms } from "../../../docs/build/banned-terms.ts";

const TERMS = bannedTerms();

/** Returns the banned terms that a text contains, as whole words. */
export function bannedIn(text: string): string[] {
  return TERMS.filter(({ pattern }) => pattern.test(text)).map(({ term }) => term);
}
