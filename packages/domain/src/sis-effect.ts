/** What the rows of SIS files do, table by table: words that all of them share. The rules stand in `sis-effect/`. */
export {
  type Cells,
  cellsOf,
  DANGEROUS,
  type FieldChange,
  isDangerous,
  SIS_DOES,
  type SisDoes,
  type SisEffect,
} from './sis-effect/effect.ts';
