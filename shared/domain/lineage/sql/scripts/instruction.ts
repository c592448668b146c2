/** What a body does, one after the other. */
export type Instruction =
  | { readonly kind: 'sql'; readonly text: string }
  /** The query whose columns, by place, are the values of variables; of none, only what decides about its rows counts. */
  | { readonly kind: 'assign'; readonly names: readonly string[]; readonly query: string; readonly isFetch?: true }
  /** The query whose rows a name represents one by one. */
  | { readonly kind: 'row'; readonly name: string; readonly query: string; readonly isLoop: boolean }
  | { readonly kind: 'declare'; readonly name: string }
  /** Variables whose values are not known. */
  | { readonly kind: 'unknown'; readonly names: readonly string[] }
  /** A part of the body that a condition may belong to, until it is left. */
  | { readonly kind: 'enter'; readonly part: Part }
  | { readonly kind: 'condition'; readonly query: string }
  /** What follows in a part runs only by the conditions that hold here. If a loop ends here, so do its next runs. */
  | { readonly kind: 'exit'; readonly part: Part; readonly isLast: boolean; readonly raises?: boolean }
  | { readonly kind: 'leave' }
  /** A place that ROLLBACK leads back to; '' is that of the transaction. */
  | { readonly kind: 'savepoint'; readonly name: string }
  | { readonly kind: 'rollback'; readonly to: string }
  /** What is not known before it runs. */
  | { readonly kind: 'open'; readonly reason: string };

export type Part = 'routine' | 'loop' | 'block';
