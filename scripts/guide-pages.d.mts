export interface GuideSection {
  id: string;
  title: string;
  depth: number;
  text: string;
}

export interface GuidePage {
  name: string;
  group: string | null;
  title: string;
  body: string;
  sections: GuideSection[];
}

export const FROM: string;
export function guidePages(): GuidePage[];
export function searchIndex(
  pages?: GuidePage[],
): { href: string; page: string; heading: string; text: string }[];
