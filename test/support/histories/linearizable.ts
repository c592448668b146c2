/** A request as its client saw it. Times are of one clock. */
export type Operation<Input, Output> = {
  readonly input: Input;
  /** Null where no answer came: it may have taken effect at any time since, or never. */
  readonly output: Output | null;
  readonly began: number;
  readonly ended: number;
};

export type Model<State, Input, Output> = {
  readonly initial: State;
  /** The state after an operation, undefined if it cannot have that output in this state. */
  readonly step: (state: State, input: Input, output: Output | null) => State | undefined;
};

/**
 * Whether some order of the operations explains every answer, if each takes effect between its request and its
 * answer. Exact, by search over the orders that real time allows (Wing and Gong, 1993), each set of operations and
 * state once: histories of some tens of operations take milliseconds.
 */
export function isLinearizable<State, Input, Output>(
  history: readonly Operation<Input, Output>[],
  { initial, step }: Model<State, Input, Output>,
): boolean {
  const tried = new Set<string>();
  const search = (left: readonly (readonly [number, Operation<Input, Output>])[], state: State): boolean => {
    const answered = left.filter(([, { output }]) => output !== null);
    if (answered.length === 0) return true;
    const place = JSON.stringify([left.map(([number]) => number), state]);
    if (tried.has(place)) return false;
    tried.add(place);
    const firstEnd = Math.min(...answered.map(([, { ended }]) => ended));
    return left.some(([number, { input, output, began }]) => {
      const next = began <= firstEnd ? step(state, input, output) : undefined;
      return (
        next !== undefined &&
        search(
          left.filter(([one]) => one !== number),
          next,
        )
      );
    });
  };
  return search([...history.entries()], initial);
}
