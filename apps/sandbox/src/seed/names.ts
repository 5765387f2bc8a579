/** Names of the practice school's people, international and with accents. */

export const FIRST_NAMES = words(`
  Aarav, Adèle, Agnès, Aïcha, Akira, Alejandra, Alice, Amélie, Amir, Ana, Anaïs, Andrzej, Anneli,
  Antoine, Arjun, Åsa, Beatriz, Benedikt, Björn, Camille, Carlos, Cecilia, Chidi, Chloé, Clara,
  Daniel, Daria, Diego, Dmitri, Élodie, Emeka, Emma, Erik, Fatima, Felix, Fiona, François, Gabriela,
  Giulia, Grace, Hana, Hannah, Hélène, Henrik, Hiroshi, Ines, Isabel, Ivan, Jakub, Jin, João,
  Johanna, José, Julia, Jürgen, Kaito, Karim, Katarzyna, Kenji, Kofi, Lars, Layla, Léa, Lena, Li,
  Linh, Lucía, Lukas, Mads, Maëlle, Magnus, Mai, Marco, María, Marta, Mateo, Matthias, Mei, Mikael,
  Mohammed, Nadia, Naomi, Nikolai, Noah, Noémie, Nuno, Olga, Olivia, Omar, Óscar, Paola, Patrick,
  Paulo, Pedro, Petra, Priya, Rafael, Raj, René, Rosa, Ruth, Sakura, Samir, Sandra, Santiago, Sara,
  Sébastien, Seo-yeon, Siddharth, Simone, Sofia, Søren, Stefan, Sven, Tariq, Thandiwe, Thomas, Tomás,
  Ulrike, Valentina, Victor, Wei, Xavier, Yara, Yasmine, Yuki, Zeynep, Zoë
`);

export const LAST_NAMES = words(`
  Abbott, Adeyemi, Ahmed, Almeida, Andersson, Araújo, Bauer, Beaumont, Becker, Bergström, Bianchi,
  Björklund, Boucher, Brandt, Brown, Carvalho, Castillo, Chan, Chevalier, Chen, Costa, Cruz,
  Da Silva, Das, De Vries, Diallo, Dubois, Dupont, Eriksen, Espinoza, Faure, Fernández, Ferrari,
  Fischer, Fontaine, Fraser, Fujita, Gallo, García, Gauthier, González, Gupta, Haddad, Hansen,
  Hassan, Hernández, Hoffmann, Horváth, Huang, Ibrahim, Ito, Iyer, Jansen, Jensen, Johansson,
  Jovanović, Kaya, Khan, Kim, Kovač, Kowalski, Kumar, Lam, Larsson, Laurent, Lefèvre, Lindqvist,
  López, MacDonald, Mäkinen, Marchetti, Martin, Mbeki, Mendes, Meyer, Mishra, Moreau, Müller,
  Nakamura, Navarro, Ndiaye, Nguyen, Nielsen, Novák, O'Brien, O'Connor, Okafor, Olsen, Öztürk,
  Papadopoulos, Park, Patel, Pereira, Petrov, Pham, Popescu, Rahman, Ramírez, Ricci, Rossi, Roux,
  Sánchez, Santos, Sato, Schäfer, Schmidt, Sharma, Silva, Smith, Sørensen, Suzuki, Svensson,
  Takahashi, Tanaka, Torres, Tran, Van den Berg, Vargas, Virtanen, Wagner, Walker, Wang, Watanabe,
  Weber, Williams, Wong, Yamamoto, Yıldız, Zhang, Zhou, Zimmermann
`);

function words(text: string): readonly string[] {
  return text
    .split(/,\s*/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

const SPECIAL: Record<string, string> = { ø: 'o', Ø: 'o', ı: 'i', ß: 'ss', æ: 'ae', ł: 'l', đ: 'd' };

/** Returns a name in the form of a login: lower case, without accents, spaces or apostrophes. */
export function loginPart(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[øØıßæłđ]/g, (letter) => SPECIAL[letter] ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '');
}
