import { type Node, RootConstruct } from 'constructs';

/** What a deployment is given with `-c`. An `App` would leave a folder for its assembly behind. */
export function nodeWith(context: Readonly<Record<string, unknown>>): Node {
  const { node } = new RootConstruct();
  for (const [name, value] of Object.entries(context)) node.setContext(name, value);
  return node;
}
