const tones: Readonly<Record<string, string>> = {
  active: 'good',
  projected: 'good',
  safe: 'good',
  passed: 'good',
  resolved: 'good',
  added: 'good',
  counts: 'good',
  partially_projected: 'warn',
  held: 'warn',
  paused: 'warn',
  silent_provider: 'warn',
  stale: 'warn',
  risky: 'warn',
  may_break: 'warn',
  not_evaluated: 'warn',
  changed: 'warn',
  does_not_count: 'warn',
  open: 'warn',
  warning: 'warn',
  critical: 'bad',
  failed: 'bad',
  quarantined: 'bad',
  error: 'bad',
  breaking: 'bad',
  breaks: 'bad',
  removed: 'bad',
};

/** A state as a word with a color; the word is sufficient without the color. */
export const StateBadge = ({ state }: { readonly state: string }) => (
  <span className="badge" data-tone={tones[state] ?? 'plain'}>
    {state.replaceAll('_', ' ')}
  </span>
);

export const StateCell = (props: Parameters<typeof StateBadge>[0]) => (
  <td>
    <StateBadge {...props} />
  </td>
);
