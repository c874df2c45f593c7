package preflight

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/broker"
)

// quotas names the quotas that this client id and user may have. It says nothing where brokers do not tell: that takes
// the right to DescribeConfigs on the cluster.
func (k *clusterCheck) quotas(ctx context.Context, c *broker.Conn) {
	res, err := request[*kmsg.DescribeClientQuotasResponse](ctx, k, c, kmsg.NewPtrDescribeClientQuotasRequest())
	if err != nil || res.ErrorCode != 0 {
		return
	}
	var lines []string
	for _, e := range res.Entries {
		who, applies := k.quotaOf(e.Entity)
		if what := quotaText(e.Values); applies && what != "" {
			lines = append(lines, who+" may "+what)
		}
	}
	slices.Sort(lines) // brokers have no order
	for _, line := range lines {
		k.note("quota", line+", on each broker",
			"beyond that brokers make the daemon wait, and predictions come as slowly; kafka-configs changes it")
	}
}

// quotaOf names whom a quota is for, and whether this client may be one of them.
func (k *clusterCheck) quotaOf(entity []kmsg.DescribeClientQuotasResponseEntryEntity) (who string, applies bool) {
	var names []string
	for _, e := range entity {
		own, called := "", ""
		switch e.Type {
		case "client-id":
			own, called = k.dialer.ClientID, "client id"
		case "user":
			own, called = k.settings.SASLUser, "user"
		default:
			return "", false
		}
		switch {
		case e.Name == nil:
			names = append(names, "any "+called)
		case *e.Name == own:
			names = append(names, called+" "+own)
		default:
			return "", false
		}
	}
	return strings.Join(names, " of "), true
}

func quotaText(values []kmsg.DescribeClientQuotasResponseEntryValue) string {
	var texts []string
	for _, v := range values {
		rate := humanize.Bytes(uint64(max(0, v.Value)))
		switch v.Key {
		case "producer_byte_rate":
			texts = append(texts, "write "+rate+"/s")
		case "consumer_byte_rate":
			texts = append(texts, "read "+rate+"/s")
		case "request_percentage":
			texts = append(texts, fmt.Sprintf("use %g %% of a thread", v.Value))
		}
	}
	slices.Sort(texts)
	return strings.Join(texts, ", ")
}

// throttled notes that a broker makes this client wait.
func (k *clusterCheck) throttled(c *broker.Conn, request string) {
	if c.Throttled > 0 {
		k.note("throttled", fmt.Sprintf("%s responds to %s and takes nothing for %v", c.Address, request,
			c.Throttled.Round(time.Millisecond)),
			"a quota of this user or client id is used up; give the daemon a larger one, or a --client-id of its own")
	}
}
