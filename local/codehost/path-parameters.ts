/** The parameters of a path; null where it is another. */
export function parametersOf(template: string, path: string): readonly string[] | null {
  const [wanted, given] = [template.split('/'), path.split('/')];
  const rest = wanted.at(-1) === '*' ? given.splice(wanted.length - 1).join('/') : null;
  const fixed = rest === null ? wanted : wanted.slice(0, -1);
  if (fixed.length !== given.length || fixed.some((part, i) => part !== ':' && part !== given[i])) return null;
  return [...given.filter((_, i) => fixed[i] === ':'), ...(rest === null ? [] : [rest])];
}
