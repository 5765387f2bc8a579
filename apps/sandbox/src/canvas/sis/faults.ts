/** Faults of imports, which the worker acts out when it starts one. */
export const IMPORT_FAULTS = ['import-hang', 'import-fail', 'import-crash'] as const;

export type ImportFault = { kind: (typeof IMPORT_FAULTS)[number] };
