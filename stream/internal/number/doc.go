// Package number reads and prints float64 values in decimal.
//
// Read, JSON and Text return the same bits as strconv.ParseFloat, and Append the same bytes as strconv.AppendFloat. All
// of them are faster for the numbers that most programs print, and leave the others to strconv. There is one way
// through the readers: At, and long for what At leaves.
package number
