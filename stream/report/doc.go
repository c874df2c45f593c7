// Package report shows the result of a replay: as an aligned table, as JSON, as CSV with the learning curves, and as
// one self-contained HTML page with curves, confusion matrices, calibration and top weights.
//
// New makes a Report of a replay.Result; Table, JSON, Curves and HTML write it. Learners are listed best first, by
// accuracy, beside the baselines no-change and majority.
//
// The page holds its pictures as SVG and has no script; nothing is fetched. It follows the reader's light or dark
// setting.
package report
