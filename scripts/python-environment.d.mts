export function pythonEnvironment(name: string, packages: readonly string[], madeFrom?: string): string | null;
export function succeeds(program: string, args: readonly string[]): boolean;
