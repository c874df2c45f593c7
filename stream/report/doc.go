// Package report shows what a replay came to: as an aligned table, as JSON, as CSV with the learning curves, and as one
// self-contained HTML page with curves, confusion matrices, calibration and top weights.
//
// New makes a Report of a replay.Result; Table, JSON, Curves and HTML write it. Learners stand in it best first, by mistakes;
// the baselines, no-change and majority, stand beside them everywhere.
//
// The page holds its pictures as SVG and has no script; nothing is fetched. It follows the reader's light or dark setting.
package report
