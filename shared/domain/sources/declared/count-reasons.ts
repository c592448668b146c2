/** How often each reason stands in the list, in the order of first appearance. */
export function countReasons(reasons: readonly string[]): { readonly reason: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => ({ reason, count }));
}
