/** What the rows of SIS files do, table by table: words that all of them share. The rules stand in `sis-effect/`. */
export {
  begins,
  type Cells,
  cellsOf,
  changed,
  DANGEROUS,
  type DatePair,
  DOING,
  type FieldChange,
  fails,
  isDangerous,
  isLive,
  losesAccess,
  orRefused,
  SIS_DOES,
  type SisDoes,
  type SisEffect,
} from './sis-effect/effect.ts';
