/** A rule as it is stored, with the members that its logins named. */
export interface StoredReviewerRule {
  routes: string[];
  reviewers: { id: string; login: string }[];
}

/**
 * Returns whether a route matches a pattern, in which `*` stands for any text. The time grows with the product of both
 * lengths at most, so that no pattern is slow.
 */
export function matchesRoute(pattern: string, route: string): boolean {
  let [at, from, star, retry] = [0, 0, -1, 0];
  while (from < route.length) {
    if (pattern[at] === "*") {
      star = at++;
      retry = from;
    } else if (at < pattern.length && pattern[at] === route[from]) {
      at++;
      from++;
    } else if (star !== -1) {
      at = star + 1;
      from = ++retry;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

/** Returns rules with only these members as reviewers. A rule without one is left out. */
export function withoutReviewers(
  rules: readonly StoredReviewerRule[],
  members: ReadonlySet<string>,
): StoredReviewerRule[] {
  return rules
    .map(({ routes, reviewers }) => ({ routes, reviewers: reviewers.filter(({ id }) => members.has(id)) }))
    .filter(({ reviewers }) => reviewers.length > 0);
}

/** Returns the reviewers that a project's rules assign to these routes, each once, without the submitter. */
export function reviewersOf(
  rules: readonly StoredReviewerRule[],
  routes: readonly string[],
  { except, limit }: { except: string | null; limit: number },
): { id: string; login: string }[] {
  const found = new Map<string, { id: string; login: string }>();
  for (const rule of rules)
    if (rule.routes.some(pattern => routes.some(route => matchesRoute(pattern, route))))
      for (const reviewer of rule.reviewers) if (reviewer.id !== except) found.set(reviewer.id, reviewer);
  return [...found.values()].slice(0, limit);
}
