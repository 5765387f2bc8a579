export interface ConnectionRule {
  builtIns: readonly string[];
  globals: readonly string[];
  quiet: readonly RegExp[];
}
export function connectionsIn(source: string, rule: ConnectionRule, allowed?: readonly string[]): string[];
