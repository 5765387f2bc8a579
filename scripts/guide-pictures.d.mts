export const PICTURES: string;
export const NOTED: string;
export function sumOfScreen(name: string): string;
