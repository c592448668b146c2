/** Leads from one part of a graph to another. */
export type Step = { readonly source: string; readonly target: string };

/** A start and everything that is reached from it. */
export function reachedFrom(start: string, next: (from: string) => readonly string[]): Set<string> {
  const reached = new Set([start]);
  for (const one of reached) for (const other of next(one)) reached.add(other);
  return reached;
}

/** Finds what a part of a graph feeds, directly or not, and what feeds it. */
export function waysAlong(steps: readonly Step[]) {
  const [outputs, inputs] = [Map.groupBy(steps, ({ source }) => source), Map.groupBy(steps, ({ target }) => target)];
  return {
    down: (start: string) => reachedFrom(start, (one) => (outputs.get(one) ?? []).map(({ target }) => target)),
    up: (start: string) => reachedFrom(start, (one) => (inputs.get(one) ?? []).map(({ source }) => source)),
  };
}
